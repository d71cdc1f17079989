/* Kind "read": O_DIRECT reads of a file that is on the disk. Every block is a request to the device, at the priority of the thread
 * that reads. */
#include "load/disk.h"

void load_read(const struct load *l)
{
	static struct disk_work work = {.block = disk_read_block};

	disk_file_make(l, true, true, &work.file);
	disk_run(l, &work);
}
