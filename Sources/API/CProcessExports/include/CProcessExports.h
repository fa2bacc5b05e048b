/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing to call: the target makes the linker of a Swift program export the functions of the C API. */
