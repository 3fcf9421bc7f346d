/* The simulator once more, in plain C, for bench/simulation.py: the same generator, the same dealing, the same histogram.
   simulator SEED BLOCK ROUNDS DECKS CUT REPEATS: the seconds of each repeat, then the shoes, then the histogram. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_CARDS = 1600, PLACES = 2000, PAIR = 16, NO_CARD = 15 };

static uint8_t hands[256], player_draws[256], banker_draws[4096], final_total[256];

static int points(int rank) { return rank < 9 ? rank + 1 : 0; }

static int banker_takes(int banker, int third) {
    switch (banker) {
    case 3: return third != 8;
    case 4: return third >= 2 && third <= 7;
    case 5: return third >= 4 && third <= 7;
    case 6: return third == 6 || third == 7;
    case 7: return 0;
    default: return 1;
    }
}

static void fill_tables(void) {
    for (int a = 0; a < 13; a++)
        for (int b = 0; b < 13; b++)
            hands[a * 16 + b] = (points(a) + points(b)) % 10 + (a == b ? PAIR : 0);
    for (int total = 0; total < 10; total++)
        for (int rank = 0; rank < 16; rank++)
            final_total[total * 16 + rank] = (total + (rank < NO_CARD ? points(rank) : 0)) % 10;
    for (int p = 0; p < 10; p++)
        for (int b = 0; b < 10; b++) {
            int natural = p >= 8 || b >= 8;
            player_draws[p * 16 + b] = b < 8 && p <= 5;
            for (int third = 0; third < 16; third++)
                banker_draws[(p * 16 + b) * 16 + third] =
                    !natural && (third < NO_CARD ? banker_takes(b, points(third)) : b <= 5);
        }
}

static uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint64_t rotated(uint64_t word, int by) { return word << by | word >> (64 - by); }

static inline uint64_t next_word(uint64_t s[4]) {
    uint64_t word = rotated(s[0] + s[3], 23) + s[0], shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotated(s[3], 45);
    return word;
}

static inline int favours(uint32_t half, uint64_t left) {
    uint64_t product = left * (left - 1) * (left - 2);
    uint32_t rest = half * (uint32_t)product;
    return rest < product && rest < (1ull << 32) % product;
}

static inline unsigned put(uint8_t *shoe, uint64_t at, uint32_t *half, uint64_t left) {
    uint64_t product = *half * left, other = at + (product >> 32);
    uint8_t card = shoe[other];
    shoe[other] = shoe[at];
    shoe[at] = card;
    *half = (uint32_t)product;
    return card;
}

static long play_block(uint64_t seed, uint64_t block, long rounds, int decks, int cut, int64_t *histogram) {
    const uint64_t gold = 0x9E3779B97F4A7C15u, cards = 52 * decks, cut_card = cards - cut;
    uint8_t shoe[MOST_CARDS];
    uint64_t s[4], at = 0, start = mixed(seed + gold) ^ block;
    long shoes = 1;
    for (uint64_t place = 0; place < cards; place++)
        shoe[place] = place % 13;
    for (int place = 0; place < 4; place++)
        s[place] = mixed(start + gold * (place + 1));
    for (long round = 0; round < rounds; round++) {
        if (at >= cut_card)
            at = 0, shoes++;
        uint64_t left = cards - at, word = next_word(s);
        while (favours(word >> 32, left) || favours((uint32_t)word, left - 3))
            word = next_word(s);
        uint32_t high = word >> 32, low = (uint32_t)word;
        unsigned p1 = put(shoe, at, &high, left), b1 = put(shoe, at + 1, &high, left - 1);
        unsigned p2 = put(shoe, at + 2, &high, left - 2), b2 = put(shoe, at + 3, &low, left - 3);
        unsigned fifth = put(shoe, at + 4, &low, left - 4), sixth = put(shoe, at + 5, &low, left - 5);
        unsigned player = hands[p1 * 16 + p2], banker = hands[b1 * 16 + b2];
        unsigned totals = (player & 15) * 16 + (banker & 15);
        unsigned player_drew = player_draws[totals], third = player_drew ? fifth : NO_CARD;
        unsigned banker_drew = banker_draws[totals * 16 + third];
        unsigned last = banker_drew ? (player_drew ? sixth : fifth) : NO_CARD;
        unsigned pairs = (player >> 4) + (banker >> 4) * 2;
        if (pairs == 3 && p1 == b1)
            pairs = 4;
        unsigned place = (pairs * 10 + final_total[(player & 15) * 16 + third]) * 10 + final_total[(banker & 15) * 16 + last];
        histogram[place * 4 + player_drew * 2 + banker_drew]++;
        at += 4 + player_drew + banker_drew;
    }
    return shoes;
}

int main(int count, char **words) {
    if (count != 7)
        return 2;
    static int64_t histogram[PLACES];
    long shoes = 0;
    fill_tables();
    for (int repeat = 0; repeat < atoi(words[6]); repeat++) {
        struct timespec before, after;
        memset(histogram, 0, sizeof histogram);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
        shoes = play_block(strtoull(words[1], 0, 10), strtoull(words[2], 0, 10), atol(words[3]), atoi(words[4]),
                           atoi(words[5]), histogram);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
        printf("%.9f\n", after.tv_sec - before.tv_sec + (after.tv_nsec - before.tv_nsec) * 1e-9);
    }
    printf("%ld\n", shoes);
    for (int place = 0; place < PLACES; place++)
        printf("%lld\n", (long long)histogram[place]);
    return 0;
}
