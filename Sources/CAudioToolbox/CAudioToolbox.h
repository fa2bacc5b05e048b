/* The public headers as the Swift sources see them: with CoreFoundation's types opaque. */
#include <stdint.h>
