/** Records whether a service received a write while a request was handled. If so, the request must not be handled again. */
import { AsyncLocalStorage } from 'node:async_hooks'

interface Watched {
  /** Number of writes that were sent and that a service may have received. */
  received: number
}
const storage = new AsyncLocalStorage<Watched>()

/** Records that the current work sends a write. The returned function is called if no service received that write. */
export const recordWrite = (): (() => void) => {
  const watched = storage.getStore()
  if (!watched) return () => undefined
  watched.received += 1
  return () => {
    watched.received -= 1
  }
}

/** Runs `work`. `isReceived` returns true if a service may have received a request of `work` that must not be repeated. */
export const watchWrites = <T>(work: () => Promise<T>): { result: Promise<T>; isReceived: () => boolean } => {
  const watched: Watched = { received: 0 }
  return { result: storage.run(watched, work), isReceived: () => watched.received > 0 }
}
