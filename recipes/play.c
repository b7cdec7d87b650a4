/* A random game of Small City in C.
 *
 *   python -m smallcity_env.ship --header smallcity.h
 *   cc play.c /path/to/smallcity-....library -o play && ./play start.bin 7
 *
 * start.bin is a game before it begins, as Python's `smallcity_env.config.blank(1, config)` makes it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "smallcity.h"

static char game[SMALLCITY_STATE_BYTES] __attribute__((aligned(8)));
static uint8_t legal[SMALLCITY_ACTIONS];
static int64_t action[1], scores[SMALLCITY_SEATS], places[SMALLCITY_SEATS];
static uint64_t stream[1];

static int is_over(void) {
    int16_t ask;
    memcpy(&ask, game + SMALLCITY_ASK_AT, sizeof ask);
    return ask == SMALLCITY_OVER;
}

static void check(int64_t status) {
    if (status == SMALLCITY_DONE) return;
    fprintf(stderr, "refused: %lld\n", (long long)status);
    exit(1);
}

int main(int count, char **words) {
    FILE *start = count == 3 ? fopen(words[1], "rb") : NULL;
    if (!start || fread(game, sizeof game, 1, start) != 1) {
        fprintf(stderr, "usage: play START STREAM\n");
        return 2;
    }
    stream[0] = strtoull(words[2], NULL, 10);
    smallcity_new_call begin = {game, 1, legal, 1, SMALLCITY_ACTIONS};
    smallcity_pick_call choose = {legal, 1, SMALLCITY_ACTIONS, stream, 1, action, 1};
    smallcity_step_call play = {game, 1, action, 1, legal, 1, SMALLCITY_ACTIONS};
    smallcity_score_call count_up = {game, 1, scores, 1, SMALLCITY_SEATS, places, 1, SMALLCITY_SEATS};
    int decisions = 0;
    for (check(smallcity_new(&begin)); !is_over(); decisions++) {
        check(smallcity_pick(&choose));
        check(smallcity_step(&play));
    }
    check(smallcity_score(&count_up));
    printf("%d decisions, scores", decisions);
    for (int seat = 0; seat < SMALLCITY_SEATS; seat++) printf(" %lld", (long long)scores[seat]);
    printf("\n");
    return 0;
}
