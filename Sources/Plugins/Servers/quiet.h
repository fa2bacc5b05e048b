/* SPDX-License-Identifier: Apache-2.0 */
/* libpulse writes errors to standard error, for example when a server sends an unknown command. The program did not ask for
   them: what is important becomes the reason of the end of a connection. */
#ifndef QUIET_H
#define QUIET_H

/* Between these two calls libpulse writes nothing, in no thread of the process, unless PULSE_LOG asks for its log. */
void quiet_begin(void);
void quiet_end(void);

#endif
