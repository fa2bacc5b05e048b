/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CVERSION_H
#define CVERSION_H

/* The content of the file VERSION, including the end of its line. */
const char *project_version(void);

#endif
