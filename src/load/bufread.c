/* Kind "bufread": reads of a file that is in the page cache. No request reaches a device, so that no I/O priority can matter. */
#include "load/disk.h"

void load_bufread(const struct load *l)
{
	static struct disk_work work = {.block = disk_read_block};

	disk_file_make(l, false, true, &work.file); /* filling it leaves it in the cache */
	disk_run(l, &work);
}
