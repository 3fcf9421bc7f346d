// What wagers are worth before a round, for any number of shoes: a thread prices a shoe, exactly.
//
// Numbers are whole, of ordered six-card deals, and a double holds them up to eight decks without rounding. The Player's
// cards are gone through, by points; for each the Banker's follow from sums over what is then left of each point value.
// WAGERS wagers are priced at once. Each looks at totals and draws (`net`) or at pairs (`pair_net`).

typedef unsigned int u32;

static const u32 THREADS = 128;

struct Step {          // cards of the Player, by points
    int final_total;   // after the third
    int first, second, third;
    int either_way;    // 2 if the first two may have come in either order, else 1
    int banker_draws;  // a bit for each total of the Banker's first two cards
};

// How many ordered pairs of cards make a total.
__device__ __forceinline__ void two_cards(const double *left, double *ways) {
#pragma unroll
    for (int total = 0; total < 10; total++) {
        double sum = 0;
#pragma unroll
        for (int one = 0; one < 10; one++) {
            int other = (total + 10 - one) % 10;
            if (one == other) sum += left[one] * (left[one] - 1);
            if (one < other) sum += 2 * left[one] * left[other];
        }
        ways[total] = sum;
    }
}

// Three cards of the Banker, whose first two make `total`, by the total they end with.
__device__ __forceinline__ void third_card(const double *left, double ways, int total, double times, double *ends) {
#pragma unroll
    for (int last = 0; last < 10; last++) {
        int other = (total + 10 - last) % 10;
        ends[(total + last) % 10] += times * left[last] * (ways - 2 * left[other] + (other == last ? 2 : 0));
    }
}

__device__ __forceinline__ void add_up(const double *net, int classes, int total, int drew, const double *ends, double times,
                                       double *worth) {
#pragma unroll
    for (int wager = 0; wager < WAGERS; wager++) {
        double sum = 0;
#pragma unroll
        for (int end = 0; end < 10; end++) sum += ends[end] * net[wager * classes + (total * 10 + end) * 4 + drew];
        worth[wager] += sum * times;
    }
}

__device__ __forceinline__ double taken(double *left, int points) {
    double cards = left[points * THREADS];
    left[points * THREADS] = cards - 1;
    return cards;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    price(const unsigned short *unseen, u32 shoes, const Step *steps, const double *net, const double *pair_net, double *worths) {
    __shared__ double memory[10 * THREADS];
    u32 shoe = blockIdx.x * THREADS + threadIdx.x;
    if (shoe >= shoes) return;
    double *kept = memory + threadIdx.x, left[10], ways[10], worth[WAGERS];
    double cards = 0, pair = 0, squares = 0, same = 0, tens = 0;
    for (int rank = 0; rank < 13; rank++) {
        double count = unseen[shoe * 13 + rank], two = count * (count - 1);
        cards += count, pair += two, squares += two * two, same += two * (count - 2) * (count - 3);
        if (rank < 9) kept[(rank + 1) * THREADS] = count; else tens += count;
    }
    kept[0] = tens;
#pragma unroll
    for (int wager = 0; wager < WAGERS; wager++) worth[wager] = 0;

    // A Player who draws. For each final total: a Banker who draws too, and one who stands.
    for (int player = 0; player < 10; player++) {
        double drawn[10] = {}, stood[10] = {};
        for (; steps->final_total == player; steps++) {
            int first = steps->first, second = steps->second, third = steps->third, draws = steps->banker_draws;
            double times = taken(kept, first) * taken(kept, second) * taken(kept, third) * steps->either_way;
#pragma unroll
            for (int points = 0; points < 10; points++) left[points] = kept[points * THREADS];
            kept[first * THREADS] += 1, kept[second * THREADS] += 1, kept[third * THREADS] += 1;
            two_cards(left, ways);
#pragma unroll
            for (int banker = 0; banker < 8; banker++)
                if (draws >> banker & 1)
                    third_card(left, ways[banker], banker, times, drawn);
                else
                    stood[banker] += times * ways[banker];
        }
        add_up(net, 400, player, 3, drawn, 1, worth);
        add_up(net, 400, player, 2, stood, cards - 5, worth);
    }
    // A Player who stands, or was not asked: the same steps without a third card.
    for (int player = 0; player < 10; player++) {
        double drawn[10] = {}, stood[10] = {};
        for (; steps->final_total == 16 + player; steps++) {
            int first = steps->first, second = steps->second, draws = steps->banker_draws;
            double times = taken(kept, first) * taken(kept, second) * steps->either_way;
#pragma unroll
            for (int points = 0; points < 10; points++) left[points] = kept[points * THREADS];
            kept[first * THREADS] += 1, kept[second * THREADS] += 1;
            two_cards(left, ways);
#pragma unroll
            for (int banker = 0; banker < 10; banker++)
                if (draws >> banker & 1)
                    third_card(left, ways[banker], banker, times, drawn);
                else if (draws >> (16 + banker) & 1)
                    stood[banker] += times * ways[banker];
        }
        add_up(net, 400, player, 1, drawn, cards - 5, worth);
        add_up(net, 400, player, 0, stood, (cards - 4) * (cards - 5), worth);
    }
    double four = cards * (cards - 1) * (cards - 2) * (cards - 3), six = four * (cards - 4) * (cards - 5);
    double both = pair * pair - squares, either = pair * (cards - 2) * (cards - 3) - same - both;
#pragma unroll
    for (int wager = 0; wager < WAGERS; wager++) {
        const double *of = pair_net + wager * 5;
        double paired = of[0] * (four - same - both - 2 * either) + (of[1] + of[2]) * either + of[3] * both + of[4] * same;
        worths[(size_t)wager * shoes + shoe] = worth[wager] / six + paired / four;
    }
}
