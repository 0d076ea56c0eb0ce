/** What happened to notifications. */
import { z } from 'zod'
import { event } from '../kit/index.js'

export const notificationCreated = event('notifications.notification.created', {
  data: z.object({ id: z.string(), recipient: z.string(), type: z.string(), from: z.string(), filtered: z.boolean() }),
  about: 'A person was notified.',
})
