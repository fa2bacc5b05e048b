/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VOIP_AUDIO_H
#define VOIP_AUDIO_H

/* The sound device of the telephone stack: one instance, a worker thread with a run loop. */

typedef enum { VOIP_EV_ROUTE, VOIP_EV_SUSPENDED, VOIP_EV_RESUMED, VOIP_EV_INPUT, VOIP_EV_RESET } voip_event;
typedef void (*voip_cb)(voip_event ev, int arg, const char *text);

/* Called by the audio threads for each frame of the codec: get fills what is played, put takes what was recorded. */
typedef void (*voip_frame_cb)(short *samples, int count);

#ifdef __cplusplus
extern "C" {
#endif
int voip_audio_init(voip_cb cb);
int voip_audio_open(double rate, double ptime, int with_input);
void voip_audio_close(void);
void voip_audio_shutdown(void);
int voip_audio_set_loudspeaker(int on);
int voip_audio_set_bluetooth(int on);
int voip_audio_set_mic_gain(double gain);
int voip_audio_is_headset(void);
void voip_audio_set_stream(voip_frame_cb get, voip_frame_cb put);
void voip_audio_set_echo_canceller(int on);
int voip_audio_is_running(void);
#ifdef __cplusplus
}
#endif

#endif
