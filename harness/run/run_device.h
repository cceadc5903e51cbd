// SPDX-License-Identifier: MIT
// The devices of a run. Each has its own workers and, if there are several devices, its own thread that waits for these. A thread touches
// what the threads share only while it holds the session's lock, which it releases while it waits for a worker.
#pragma once

#include "plan/device_choice.h"
#include "run/watch.h"
#include "run/workers.h"

struct dispatch;
struct keys;
struct store;

enum { DEVICE_STRIKES = 3 };

struct run_device {
    struct session *session;
    uint32_t bit;  // stands for this device in sets of devices
    char name[32]; // "cuda:1"; "" where the experiments name the device
    char uuid[48]; // once run_devices_check() has seen it
    struct workers workers;
    cpu_set_t cores;
    pthread_t thread;
    int64_t executing; // trial; 0: none
    int64_t done;
    int strikes; // executions that failed here and then succeeded elsewhere, since the last success here
    bool lost;
    char cause[400]; // why it is lost
};

// What one invocation shares.
struct session {
    struct store *store;
    struct run_device *devices;
    size_t device_count;
    pthread_mutex_t lock; // of all this, where there are several
    pthread_cond_t changed;
    struct dispatch *dispatch; // that they work for
    struct keys *keys;
    struct progress progress;
    struct run_watch *watch; // NULL: nobody
    bool retry_failed;
    bool quiet;
    bool said_waiting; // for the database
};

// One for each entry of the list or, if that is empty, a single one that leaves the device to the experiments. Several share out the
// cores, unless times mean nothing.
void run_devices_open(struct session *session, const struct device_list *devices);
void run_devices_finish(struct session *session);
// Where there are several: "cuda:0 on 0-3; cuda:1 on 4-7", by cores; else "".
void run_devices_format(const struct session *session, char *text, size_t size);
// Opens the devices that a spec means. ERROR_USE: they are of different models, two are the same one or, if `alone`, another program uses
// one.
bool run_devices_check(struct session *session, const struct trial_spec *spec, bool alone, struct error *error);
// Those that are not lost, as a set of bits.
uint32_t run_devices_alive(const struct session *session);
// After an execution that got no answer, or failed by a fault of the device: whether a new worker can use the same device. If not, the
// device is lost, for this cause.
bool run_device_survives(struct run_device *device, const struct trial_spec *spec, const char *cause);
// To be called after an execution succeeded here that had failed on the devices of this set. A device whose failures succeed elsewhere too
// often is lost.
void run_device_did(struct run_device *device, uint32_t failed_on);
