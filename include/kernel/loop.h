/* Loop devices that the kernel takes apart by itself: when the last process that holds the mount is gone, however it went, the
 * file system is unmounted, the device is freed, and with it the last reference to its backing file. Root only. Any thread. */
#ifndef NICELAB_KERNEL_LOOP_H
#define NICELAB_KERNEL_LOOP_H

#include <stdbool.h>
#include <stddef.h>

#define LOOP_NAME 32

enum loop_step { LOOP_CONTROL, LOOP_ATTACH, LOOP_DIRECT_IO, LOOP_MOUNT };

/* A free loop device over the open file, with direct I/O to it where asked. Its descriptor, or -errno and the step that failed;
 * name gets "loop0". It is freed when the last descriptor of it closes and nothing is mounted from it. */
int loop_attach(int backing, bool direct, char *name, size_t size, enum loop_step *step);

/* Mounts its file system nowhere: no path leads to it but the directory descriptor that is returned (fsmount(2), Linux 5.2).
 * -errno otherwise. Holds the device. */
int loop_mount(const char *name, const char *filesystem);

#endif
