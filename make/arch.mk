# SPDX-License-Identifier: Apache-2.0
# ARCH: the processor of the products, by Debian's name or by the kernel's. Empty: that of this machine, built by SwiftPM.

# Debian's name, the triple of GNU, the target of the Swift compiler and the folder of the tables for Unicode in its toolchain.
# The standard library of Embedded Swift for Linux exists for x86-64 alone. That of bare metal has the same ABI.
ARCH_arm64 := arm64 aarch64-linux-gnu aarch64-none-none-elf aarch64-none-none-elf
ARCH_x86_64 := amd64 x86_64-linux-gnu x86_64-unknown-linux-gnu x86_64-unknown-linux-gnu
ARCH_aarch64 := $(ARCH_arm64)
ARCH_amd64 := $(ARCH_x86_64)

ifneq ($(ARCH),)
ifneq ($(filter arm armel armhf armv6% armv7% i386 i486 i586 i686 x86 x32 riscv32 mips mipsel powerpc hppa m68k,$(ARCH)),)
$(error ARCH is "$(ARCH)", which has 32 bits: the shared table needs atomic words of 64 bits; use ARCH=arm64 or ARCH=x86_64)
else ifneq ($(filter aarch64_be arm64be armeb s390x ppc64 powerpc64 mips64 sparc64,$(ARCH)),)
$(error ARCH is "$(ARCH)", which is big-endian: the shared table and the kernels of samples are little-endian; use ARCH=arm64 or ARCH=x86_64)
else ifeq ($(ARCH),riscv64)
$(error ARCH is "riscv64": Swift 6.3 has its tables for Unicode only for the floating-point ABI of bare metal (docs/arm64.md); use ARCH=arm64 or ARCH=x86_64)
else ifeq ($(ARCH_$(ARCH)),)
$(error ARCH is "$(ARCH)": expected arm64 or x86_64)
else ifneq ($(LINK),embedded)
$(error LINK is "$(LINK)" and ARCH is "$(ARCH)": only LINK=embedded is built for a named processor; leave out one of the two)
endif
DEBIAN_ARCH := $(word 1,$(ARCH_$(ARCH)))
GNU := $(word 2,$(ARCH_$(ARCH)))
SWIFT_TARGET := $(word 3,$(ARCH_$(ARCH)))
UNICODE_TABLES := $(word 4,$(ARCH_$(ARCH)))
BUILD := .build/$(firstword $(subst -, ,$(GNU)))
endif
