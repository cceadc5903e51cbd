// SPDX-License-Identifier: MIT
#include "store/shared.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sql/handle.h"

struct store_shared {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct shared_view *views;
    size_t count;
    char *study; // NULL: none
};

struct store_shared *store_shared_new(const char *study)
{
    struct store_shared *shared = memory_new(1, sizeof *shared);
    pthread_mutex_init(&shared->lock, NULL);
    pthread_cond_init(&shared->changed, NULL);
    shared->study = study ? memory_copy(study) : NULL;
    return shared;
}

void store_shared_free(struct store_shared *shared)
{
    for (size_t i = 0; i < shared->count; ++i) {
        free(shared->views[i].name);
        sqlite3_free(shared->views[i].image);
    }
    free(shared->views);
    free(shared->study);
    pthread_cond_destroy(&shared->changed);
    pthread_mutex_destroy(&shared->lock);
    free(shared);
}

bool shared_of(const struct store_shared *shared, const char *study)
{
    return shared->study && !strcmp(shared->study, study);
}

static struct shared_view *find_view(struct store_shared *shared, const char *name)
{
    for (size_t i = 0; i < shared->count; ++i)
        if (!strcmp(shared->views[i].name, name))
            return &shared->views[i];
    return NULL;
}

enum shared_state shared_take(struct store_shared *shared, const char *name, struct shared_view *copy)
{
    pthread_mutex_lock(&shared->lock);
    const struct shared_view *view = find_view(shared, name);
    const enum shared_state state = !view ? SHARED_MINE : view->image ? SHARED_THERE : SHARED_BUSY;
    if (view)
        *copy = *view;
    else
        *ARRAY_ADD(shared->views, shared->count) = (struct shared_view){.name = memory_copy(name)};
    pthread_mutex_unlock(&shared->lock);
    return state;
}

void shared_made(struct store_shared *shared, const char *name, unsigned char *image, int64_t size)
{
    pthread_mutex_lock(&shared->lock);
    struct shared_view *view = find_view(shared, name);
    view->image = image;
    view->size = size;
    if (!image) {
        free(view->name);
        *view = shared->views[--shared->count];
    }
    pthread_cond_broadcast(&shared->changed);
    pthread_mutex_unlock(&shared->lock);
}

void shared_wait(struct store_shared *shared, const char *names)
{
    const size_t start = strspn(names, " ");
    char *name = sqlite3_mprintf("%.*s", (int)strcspn(names + start, " "), names + start);
    pthread_mutex_lock(&shared->lock);
    for (const struct shared_view *view; (view = find_view(shared, name)) && !view->image;)
        pthread_cond_wait(&shared->changed, &shared->lock);
    pthread_mutex_unlock(&shared->lock);
    sqlite3_free(name);
}
