/* SPDX-License-Identifier: Apache-2.0 */
/* A program that does nothing, to be linked with one library or none. With an argument it prints its resident and its
   private memory in kilobytes. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    if (argc < 2) return 0;
    FILE *rollup = fopen("/proc/self/smaps_rollup", "r");
    if (!rollup) return 1;
    char line[256];
    long number, resident = 0, own = 0;
    while (fgets(line, sizeof line, rollup)) {
        if (sscanf(line, "Rss: %ld", &number) == 1) resident = number;
        if (sscanf(line, "Private_Clean: %ld", &number) == 1 || sscanf(line, "Private_Dirty: %ld", &number) == 1) own += number;
    }
    printf("%ld %ld\n", resident, own);
    return 0;
}
