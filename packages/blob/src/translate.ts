/** Converts the failures of a store to BlobErrors. */

import { Readable } from 'node:stream'
import type { BlobError } from './errors.js'
import type { BlobStore } from './store.js'

/** Methods of a store that can fail. */
export type Operations = Omit<BlobStore, 'publicUrl'>

/** Wraps the operations so that each failure passes through `toBlobError`. A source that was not read is destroyed. */
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
