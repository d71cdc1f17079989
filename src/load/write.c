/* Kind "write": O_DIRECT overwrites of a file that is on the disk, with an fdatasync after each whole file, as databases and copiers do:
 * what the device has in a cache of its own counts. */
#include "load/disk.h"

static void write_block(const struct load *l, const struct disk_file *f, void *buffer, uint64_t offset)
{
	disk_write_block(l, f, buffer, offset);
}

void load_write(const struct load *l)
{
	static struct disk_work work = {.block = write_block, .whole = disk_sync};

	disk_file_make(l, true, true, &work.file);
	disk_run(l, &work);
}
