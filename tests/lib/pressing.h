/* Pressing keys on a made-up snapshot without a screen: what was sent to the engine, and how the view stands then. */
#ifndef NICELAB_TESTS_PRESSING_H
#define NICELAB_TESTS_PRESSING_H

#include "scene.h"
#include "ui/view.h"

#define SENT_MAX 8

extern struct snapshot scene;
extern struct view view;
extern struct command sent[SENT_MAX];
extern size_t nsent;

/* A fresh view of the scene, with the victim's pane selected. */
void pressing_begin(enum scene which);
void pressing_end(void);

/* Set-up functions of cmocka for the scenes, and what takes them down. */
int pressing_default(void **state);
int pressing_autogroup(void **state);
int pressing_trouble(void **state);
int pressing_disk(void **state);
int pressing_levels(void **state);
int pressing_stack(void **state);
int pressing_teardown(void **state);

/* Presses a script of keys (ui/key.h). */
void press(const char *script);

#endif
