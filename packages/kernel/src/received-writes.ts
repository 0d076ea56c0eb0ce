/** Records whether a service may have received a write of some work, so that the work is not repeated if something may have been done. */
import { AsyncLocalStorage } from 'node:async_hooks'

interface Watched {
  isReceived: boolean
}
const storage = new AsyncLocalStorage<Watched>()

/** Records that a service may have received a request of the current work that must not be repeated. */
export const recordReceived = (): void => {
  const watched = storage.getStore()
  if (watched) watched.isReceived = true
}

/** Runs work. `isReceived` is true if a service may have received a request of it that must not be repeated. */
export const watchWrites = <T>(work: () => Promise<T>): { result: Promise<T>; isReceived: () => boolean } => {
  const watched: Watched = { isReceived: false }
  return { result: storage.run(watched, work), isReceived: () => watched.isReceived }
}
