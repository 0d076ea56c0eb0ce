/** Job that finishes the undo of an action of staff. */

import { z } from 'zod'
import { job } from '../kit/index.js'

export const finishUndo = job('admin.settle-undo', {
  data: z.object({ /** Id of the audit log entry to undo. */ entry: z.string() }),
  about: 'Finishes an undo whose state another service owns, if the request could not.',
})
