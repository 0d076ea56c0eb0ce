/** Marks an announcement as read by a person. */
import { announcementDismiss } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { handle } from '../../doors.js'
import { dismiss as noteDismissal, published } from '../../store/announcement.js'

export const dismiss = handle(announcementDismiss, (ctx, viewer, { id }) =>
  ctx.db.tx(async (tx) => {
    if (!(await published(tx, id))) throw notFound()
    await noteDismissal(tx, id, viewer.id)
    return {}
  }),
)
