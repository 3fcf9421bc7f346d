// After deal.cu. The cards left before every late round, which not every shoe comes to: those are what the cut card tells
// apart. A thread deals some shoes of its block; `states` has a row for each late round, in any order.

extern "C" __global__ void late_rounds(u64 seed, u64 first_block, u32 shoes, u32 cards, u32 cut, u32 sure_rounds,
                                       unsigned short *states, u32 *found, u32 most) {
    extern __shared__ __align__(128) u32 memory[];
    const u32 of_shoe = (cards >> 2) * ROW, of_counts = 4 * ROW;
    u32 counts = (u32)__cvta_generic_to_shared(memory) + (threadIdx.x >> 5) * (of_shoe + of_counts);
    u32 base = counts + of_counts, lane = (threadIdx.x & 31) * 4;
    Shoe shoe = shoe_of(base, lane, seed, first_block + (u64)blockIdx.x * blockDim.x + threadIdx.x, cards);
    const u32 whole = shoe.back, behind = spread(cut);
    for (; shoes; shoes--) {
        shoe.front = base, shoe.back = whole;
        for (u32 rounds = 0; rounds < sure_rounds; rounds++) deal(shoe);
        while (shoe.back - shoe.front > behind) {
            for (u32 row = 0; row < 4; row++) put_row((counts + row * ROW) | lane, 0);
            for (u32 at = shoe.front; at < shoe.back; at = (at & 3) == 3 ? at - 3 + ROW : at + 1) {
                u32 card = card_at(at | lane), rank = card < 16 ? card + 9 : (card >> 4) - 1;
                u32 counted = (counts + spread(rank)) | lane;
                put_card(counted, card_at(counted) + 1);
            }
            u32 state = atomicAdd(found, 1);
            if (state < most)
                for (u32 rank = 0; rank < 13; rank++)
                    states[(size_t)state * 13 + rank] = (unsigned short)card_at((counts + spread(rank)) | lane);
            deal(shoe);
        }
    }
}
