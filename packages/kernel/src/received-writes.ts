/** Records whether a service received a write during a request. Such a request is not run again. */
import { AsyncLocalStorage } from 'node:async_hooks'

interface Watched {
  /** Writes that were sent, without those that no service received. */
  received: number
}
const storage = new AsyncLocalStorage<Watched>()

/** Records that a write of the current work is sent. The returned function records that no service received it. */
export const recordWrite = (): (() => void) => {
  const watched = storage.getStore()
  if (!watched) return () => undefined
  watched.received += 1
  return () => {
    watched.received -= 1
  }
}

/** Runs work. `isReceived` is true if a service may have received a request of it that must not be repeated. */
export const watchWrites = <T>(work: () => Promise<T>): { result: Promise<T>; isReceived: () => boolean } => {
  const watched: Watched = { received: 0 }
  return { result: storage.run(watched, work), isReceived: () => watched.received > 0 }
}
