/* SPDX-License-Identifier: Apache-2.0 */
/* Excludes fork() while another thread is in a critical section. */
#ifndef CLINUX_FORK_GATE_H
#define CLINUX_FORK_GATE_H

__attribute__((visibility("hidden"))) void fork_gate_enter(void);
__attribute__((visibility("hidden"))) void fork_gate_leave(void);

#endif
