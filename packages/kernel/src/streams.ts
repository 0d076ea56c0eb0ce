/** Streams of a service on the bus: one for each kind of message in its manifest. */
import { eventStream, jobStream, LIVE_STREAM, type StreamPlan } from '@murmuration/bus'
import type { Manifest } from './manifest.js'

/** Streams of a service. A service has no stream for kinds of messages that it does not send. */
export const streamsOf = (manifest: Manifest): StreamPlan[] => [
  ...(manifest.announces.length
    ? [{ name: eventStream(manifest.service), subjects: [`evt.${manifest.service}.>`], kind: 'events' as const }]
    : []),
  ...(manifest.jobs.length
    ? [{ name: jobStream(manifest.service), subjects: [`job.${manifest.service}.>`], kind: 'jobs' as const }]
    : []),
  ...(manifest.live.some((one) => one.surface === 'user') || manifest.receivesLive
    ? [{ name: LIVE_STREAM, subjects: ['live.user.*'], kind: 'live' as const }]
    : []),
]
