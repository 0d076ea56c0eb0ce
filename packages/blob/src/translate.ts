/** Gives a store's failures one face. */

import { Readable } from 'node:stream'
import type { BlobError } from './errors.js'
import type { BlobStore } from './store.js'

/** The part of a store that can fail. */
export type Operations = Omit<BlobStore, 'publicUrl'>

/** The same operations, with every failure passed through `toBlobError`; a source that was not taken is destroyed. */
export function translated(store: Operations, toBlobError: (error: unknown) => BlobError): Operations {
  const translate = (error: unknown) => {
    throw toBlobError(error)
  }
  return {
    put: (key, source, options) =>
      store.put(key, source, options).catch((error) => {
        if (source instanceof Readable) source.destroy()
        return translate(error)
      }),
    get: (...given) => store.get(...given).catch(translate),
    head: (...given) => store.head(...given).catch(translate),
    copy: (...given) => store.copy(...given).catch(translate),
    move: (...given) => store.move(...given).catch(translate),
    delete: (...given) => store.delete(...given).catch(translate),
    list: (...given) => store.list(...given).catch(translate),
    sweep: (...given) => store.sweep(...given).catch(translate),
    close: () => store.close(),
  }
}
