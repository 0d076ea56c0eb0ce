/** What the edge asks notifications. */
import { z } from 'zod'
import { Notification } from '../entities/index.js'
import { internal, linesOf, operation } from '../kit/index.js'

export const notificationCards = operation('notifications.notification.cards', {
  viewer: internal(),
  input: z.object({
    recipient: z.string(),
    ids: z.array(z.string()).max(80),
    /** The grant of the recipient's stream. */
    grant: z.string().max(64).optional(),
  }),
  output: linesOf(Notification),
  errors: ['forbidden'],
  about: 'Notification JSON by id for its recipient; what they may not see any more is left out.',
})
