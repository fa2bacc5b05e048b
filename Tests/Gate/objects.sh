# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# objects.sh, a part of run.sh: what check-product finds in objects.
# shellcheck disable=SC2154 # run.sh sets the variables

objects=$scratch/objects
# Two arrays of a function: the first has bytes, and the second, whose name has a number, refers to a symbol.
compile_arrays() { # object, bytes, symbol
    mkdir -p "$(dirname "$objects/$1")"
    printf '.section .rodata.%s,"a"\n.globl %s\n.type %s, @object\n%s:\n.quad %s\n.size %s, .-%s\n' \
        one sFTv_r sFTv_r sFTv_r "$2" sFTv_r sFTv_r two sFTv0_r sFTv0_r sFTv0_r "$3" sFTv0_r sFTv0_r |
        cc -c -x assembler - -o "$objects/$1"
}
check_objects() { # folder
    "$root/tools/check-product" objects "$(dirname "$(readlink -f "$(command -v swift)")")" "$objects/$1" >"$scratch/out" 2>&1
    status=$?
}

for folder in equal bytes relocations; do compile_arrays $folder/first.o 1,2,3 one; done
compile_arrays equal/second.o 1,2,3 one
compile_arrays bytes/second.o 1,2,4 one
compile_arrays relocations/second.o 1,2,3 other
check_objects equal
check 'arrays of one name with the same content are no failure' [ $status = 0 ]
check '... and are counted' says '^objects: 1 arrays in two objects or more, none of them mixed$'
check_objects bytes
check 'an array whose bytes differ is a failure' [ $status = 1 ]
check '... and is named, without the equal one' [ "$(grep -xE 'sFTv0?_r' "$scratch/out")" = sFTv_r ]
check_objects relocations
check 'an array that refers to another symbol is a failure' [ $status = 1 ]
check '... and is named, without the equal one' [ "$(grep -xE 'sFTv0?_r' "$scratch/out")" = sFTv0_r ]
