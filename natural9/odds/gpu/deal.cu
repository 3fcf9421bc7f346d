// Whole shoes dealt to the cut card into a histogram of outcomes: a thread deals a block of rounds from a shoe of its own.
//
// A card is a byte, 16 x its points + 0 to 3 for ten, jack, queen, king, so that sums of points need no mask. Four cards
// are a row; row r of a thread's shoe stands at 128 r + 4 x its lane, in the lane's own bank of the shared memory. A place
// is kept as such an address, with the five bits of the lane left out (LANE_BITS): places in that form are in the order
// of the cards, and a step over a row's end carries through the bits left out.
//
// The first four cards of a round come from the row at the front, third cards from the back; in a shuffled shoe one place
// is as good as another. Each of the six is swapped with a place drawn from between, whether it will be played or not.
// gpu_kernel.py deals the same once more and says why that is fair.

typedef unsigned int u32;
typedef unsigned long long u64;

static const u32 LANE_BITS = 0x7C, ROW = 128;
static const u32 MULTIPLIER = 0xFFFA19FA;  // of multiply-with-carry, three words back: a safe prime's
static const u32 CLASSES = 5 * 4 * 160;    // pairs, who drew, and 16 x the Player's total + the Banker's
static const u32 DREW = 4 * 160;           // bytes of the histogram for each way of drawing

// The shared memory by 32-bit addresses: with pointers the compiler adds up the same base for every card.
__device__ __forceinline__ u32 card_at(u32 at) {
    u32 card;
    asm volatile("ld.shared.u8 %0, [%1];" : "=r"(card) : "r"(at) : "memory");
    return card;
}
__device__ __forceinline__ u32 row_at(u32 at) {
    u32 row;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(row) : "r"(at) : "memory");
    return row;
}
__device__ __forceinline__ void put_card(u32 at, u32 card) {
    asm volatile("st.shared.u8 [%0], %1;" ::"r"(at), "r"(card) : "memory");
}
__device__ __forceinline__ void put_row(u32 at, u32 row) {
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(row) : "memory");
}
__device__ __forceinline__ void count(u32 at) {
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(at) : "memory");
}
__device__ __forceinline__ u64 mixed(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

__device__ __forceinline__ u32 word(u32 &oldest, u32 &carry) {
    u64 next = (u64)oldest * MULTIPLIER + carry;
    oldest = (u32)next;
    carry = (u32)(next >> 32);
    return oldest ^ carry;
}

// A place among those between front and back, from what is left of a random word.
__device__ __forceinline__ u32 place(u32 &rest, u32 between, u32 front, u32 lane) {
    u64 drawn = (u64)rest * between;
    rest = (u32)drawn;
    return (((u32)(drawn >> 32) + front) & ~LANE_BITS) | lane;
}

__device__ __forceinline__ u32 swapped(u32 at, u32 with) {
    u32 card = card_at(at);
    put_card(at, with);
    return card;
}

__device__ __forceinline__ u32 total(u32 sum) { return min(sum, sum - 160); }

__device__ __forceinline__ u32 spread(u32 card) { return (card >> 2) * ROW + (card & 3); }

// A thread's shoe in use: where it stands, what is left of it (front to back), and the generator.
struct Shoe {
    u32 base, lane, front, back, x, y, z, carry;
};

// The shoe of a block, shuffled; `base` is a multiple of 128.
__device__ __forceinline__ Shoe shoe_of(u32 base, u32 lane, u64 seed, u64 block, u32 cards) {
    u64 start = mixed(seed + 0x9E3779B97F4A7C15ull) ^ block;
    u64 one = mixed(start + 0x9E3779B97F4A7C15ull), two = mixed(start + 2 * 0x9E3779B97F4A7C15ull);
    u32 x = (u32)one, y = (u32)(one >> 32), z = (u32)two, carry = (u32)(two >> 33) | 1;
    for (u32 card = 0; card < cards; card++) {
        u32 rank = card % 13;
        put_card((base + spread(card)) | lane, rank < 9 ? 16 * (rank + 1) : rank - 9);
    }
    for (u32 last = cards - 1; last; last--) {
        u64 drawn;
        do {
            drawn = (u64)word(x, carry) * (last + 1);
            u32 newest = x;
            x = y, y = z, z = newest;
        } while ((u32)drawn < (0u - (last + 1)) % (last + 1));
        u32 there = (base + spread((u32)(drawn >> 32))) | lane, here = (base + spread(last)) | lane;
        put_card(here, swapped(there, card_at(here)));
    }
    return {base, lane, base, base + spread(cards), x, y, z, carry};
}

// One round: the place of its outcome, in bytes of a histogram.
__device__ __forceinline__ u32 deal(Shoe &shoe) {
    const u32 lane = shoe.lane, front = shoe.front, next = front + ROW;
    u32 fifth_at = (shoe.back - 1) & ~LANE_BITS, sixth_at = (shoe.back - 2) & ~LANE_BITS, between = sixth_at - next;
    u32 four = row_at(front | lane), fifth = card_at(fifth_at | lane), sixth = card_at(sixth_at | lane);
    u32 a = word(shoe.x, shoe.carry), b = word(shoe.y, shoe.carry), c = word(shoe.z, shoe.carry);
    u32 player = swapped(place(a, between, next, lane), four);
    u32 banker = swapped(place(a, between, next, lane), four >> 8);
    u32 player_2 = swapped(place(b, between, next, lane), four >> 16);
    u32 banker_2 = swapped(place(b, between, next, lane), four >> 24);
    put_row(front | lane, player + banker * 0x100 + player_2 * 0x10000 + banker_2 * 0x1000000);
    fifth = swapped(place(c, between, next, lane), fifth);
    put_card(fifth_at | lane, fifth);
    sixth = swapped(place(c, between, next, lane), sixth);
    put_card(sixth_at | lane, sixth);

    u32 outcome = 0;
    if (player == player_2) outcome += 4 * DREW;
    if (banker == banker_2) outcome += 8 * DREW;
    if (player == player_2 && banker == banker_2 && player == banker) outcome += 4 * DREW;
    u32 player_total = total(player + player_2), banker_total = total(banker + banker_2);
    bool player_draws = player_total < 96 && banker_total < 128;
    // The Banker draws below this: by the Player's third card, or on five and less if the Player stood without eight.
    u32 by_third = min((fifth >> 1) + 16, fifth ^ 128) + 39;
    u32 below = player_draws ? by_third : player_total < 128 ? 96 : 0;
    bool banker_draws = banker_total < below;
    u32 last = player_draws ? sixth : fifth, after = player_draws ? sixth_at : fifth_at;
    if (player_draws) player_total = total(player_total + fifth), outcome += 2 * DREW, shoe.back = fifth_at;
    if (banker_draws) banker_total = total(banker_total + last), outcome += DREW, shoe.back = after;
    shoe.front = next;
    return outcome + ((player_total & 0xF0) | (banker_total >> 4)) * 4;
}

// Block `first_block` and those after it, a thread each, until all rounds are dealt: into the histogram, and the shoes begun.
extern "C" __global__ void play_blocks(u64 seed, u64 first_block, u64 rounds, u32 block_rounds, u32 cards, u32 cut,
                                       u64 *totals) {
    extern __shared__ __align__(128) u32 memory[];
    u32 histogram = (u32)__cvta_generic_to_shared(memory);
    for (u32 at = threadIdx.x; at < CLASSES; at += blockDim.x) memory[at] = 0;
    __syncthreads();
    u64 number = (u64)blockIdx.x * blockDim.x + threadIdx.x, before = number * block_rounds;
    u32 shoes = 0;
    if (before < rounds) {
        u64 left = rounds - before;
        u32 here = (u32)(left < block_rounds ? left : block_rounds);
        u32 base = histogram + 4 * CLASSES + (threadIdx.x >> 5) * (cards >> 2) * ROW;
        Shoe shoe = shoe_of(base, (threadIdx.x & 31) * 4, seed, first_block + number, cards);
        const u32 whole = shoe.back, behind = spread(cut);
        shoes = 1;
#pragma unroll 2
        for (; here; here--) {
            if (shoe.back - shoe.front <= behind) shoe.front = base, shoe.back = whole, shoes++;
            count(histogram + deal(shoe));
        }
    }
    atomicAdd(&totals[CLASSES], (u64)shoes);
    __syncthreads();
    for (u32 at = threadIdx.x; at < CLASSES; at += blockDim.x)
        if (memory[at]) atomicAdd(&totals[at], (u64)memory[at]);
}
