/* The target is chosen when the fuzzer is built: -DENTRANCE=fuzz_names. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

bool ENTRANCE(const void *bytes, ptrdiff_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    if (!ENTRANCE(bytes, (ptrdiff_t)count)) abort();
    return 0;
}
