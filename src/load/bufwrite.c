/* Hog kind "bufwrite": dirties the page cache and never waits for the disk. The writing is done later by kernel threads at their own
 * priority. */
#include "load/disk.h"

static void write_block(const struct load *l, const struct disk_file *f, void *buffer, uint64_t offset)
{
	disk_write_block(l, f, buffer, offset);
}

void load_bufwrite(const struct load *l)
{
	static struct disk_work work = {.block = write_block};

	disk_file_make(l, false, false, &work.file);
	disk_run(l, &work);
}
