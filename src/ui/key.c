/* Keys by name. */
#include "ui/key.h"

#include <curses.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define WAIT_MAX 600.0

static const struct {
	const char *name;
	int code;
} named[] = {
	{"Up", KEY_UP},	  {"Down", KEY_DOWN},	     {"Left", KEY_LEFT},	{"Right", KEY_RIGHT},
	{"Tab", '\t'},	  {"S-Tab", KEY_BTAB},	     {"Enter", KEY_CODE_ENTER}, {"Esc", KEY_CODE_ESC},
	{"Space", ' '},	  {"PgUp", KEY_PPAGE},	     {"PgDn", KEY_NPAGE},	{"Home", KEY_HOME},
	{"End", KEY_END}, {"BSpace", KEY_BACKSPACE},
};

static bool is_token(const char *token, size_t len, const char *name)
{
	return strlen(name) == len && strncmp(token, name, len) == 0;
}

int key_parse(const char *token, size_t len)
{
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (is_token(token, len, named[i].name))
			return named[i].code;
	for (int f = 1; f <= 12; f++) {
		char name[4] = {'F', (char)(f < 10 ? '0' + f : '1'), (char)(f < 10 ? '\0' : '0' + f - 10),
				'\0'};
		if (is_token(token, len, name))
			return KEY_F(f);
	}
	if (len == 2 && token[0] == '^' && token[1] >= 'A' && token[1] <= 'Z')
		return token[1] - '@';
	return len == 1 && token[0] > ' ' && token[0] < 127 ? token[0] : -1;
}

int key_script_next(const char **script, struct key_step *step)
{
	const char *token = *script + strspn(*script, " \t\n");
	size_t len = strcspn(token, " \t\n");
	char *end;

	if (len == 0)
		return 0;
	*step = (struct key_step){.key = -1};
	if (token[0] == '@') {
		step->wait_s = strtod(token + 1, &end);
		if (end != token + len || len == 1 || !(step->wait_s >= 0 && step->wait_s <= WAIT_MAX))
			return -EINVAL;
	} else {
		step->key = key_parse(token, len);
		if (step->key < 0)
			return -EINVAL;
	}
	*script = token + len;
	return 1;
}
