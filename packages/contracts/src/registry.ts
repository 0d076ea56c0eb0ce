/** All operations, events, pages and streams, collected from the exports of each service's contracts. */
import * as accounts from './accounts/index.js'
import * as admin from './admin/index.js'
import * as federation from './federation/index.js'
import * as gateway from './gateway/index.js'
import type { AnyEvent, AnyJob, AnyOperation, BrowserPage, EventStream, Live } from './kit/index.js'
import * as media from './media/index.js'
import * as notifications from './notifications/index.js'
import * as statuses from './statuses/index.js'
import * as streaming from './streaming/index.js'

const modules: readonly object[] = [accounts, admin, federation, gateway, media, notifications, statuses, streaming]

const every = <T>(kind: string): T[] => {
  const found = new Set<T>()
  for (const one of modules)
    for (const value of Object.values(one))
      if (typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === kind)
        found.add(value as T)
  return [...found]
}

/** All operations of all services, sorted by name. */
export const allOperations = (): AnyOperation[] =>
  every<AnyOperation>('operation').sort((a, b) => a.name.localeCompare(b.name))

/** Operations by the name of their constant. */
export const operationConstants = (): [constant: string, operation: AnyOperation][] =>
  modules
    .flatMap((one) => Object.entries(one))
    .filter((entry): entry is [string, AnyOperation] => (entry[1] as { kind?: unknown } | null)?.kind === 'operation')

/** Operations that have an HTTP route. */
export const routedOperations = (): AnyOperation[] => allOperations().filter((one) => one.http.length > 0)

/** Pages of the gateway at paths of the API. */
export const allBrowserPages = (): BrowserPage[] =>
  every<BrowserPage>('browser-page').sort((a, b) => a.name.localeCompare(b.name))

/** Event streams: the paths that the streaming service serves itself. */
export const allEventStreams = (): EventStream[] =>
  every<EventStream>('event-stream').sort((a, b) => a.name.localeCompare(b.name))

/** All events of all services, sorted by name. */
export const allEvents = (): AnyEvent[] => every<AnyEvent>('event').sort((a, b) => a.name.localeCompare(b.name))

/** All jobs of all services, sorted by name. */
export const allJobs = (): AnyJob[] => every<AnyJob>('job').sort((a, b) => a.name.localeCompare(b.name))

/** All live subjects for open streaming connections, sorted by surface. */
export const allLive = (): Live[] => every<Live>('live').sort((a, b) => a.surface.localeCompare(b.surface))
