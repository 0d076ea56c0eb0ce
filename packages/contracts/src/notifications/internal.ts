/** What the edge asks notifications. */
import { z } from 'zod'
import { Notification } from '../entities/index.js'
import { internal, linesOf, operation } from '../kit/index.js'

export const notificationCards = operation('notifications.notification.cards', {
  viewer: internal(),
  input: z.object({ recipient: z.string(), ids: z.array(z.string()).max(80) }),
  output: linesOf(Notification),
  about: 'Notification JSON by id for its recipient; what they may not see any more is left out.',
})
