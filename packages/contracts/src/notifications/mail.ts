/** Outgoing e-mail: the job that sends it, and the e-mail preferences of accounts. */
import { z } from 'zod'
import { mailedNotificationTypes } from '../entities/index.js'
import { internal, job, operation } from '../kit/index.js'

/**
 * Job that sends an e-mail. It is retried for 36 hours, because a mail server can be down for a night, and a
 * confirmation link is valid for two days.
 */
export const sendMailJob = job('notifications.send-mail', {
  data: z.object({
    mail: z.string(),
    /** True: an operator restored the job. If its e-mail no longer exists, the job fails, so that the operator learns it. */
    restored: z.boolean().optional(),
  }),
  about: 'Renders one e-mail in the language of its recipient and sends it.',
  retry: { delays: [1, 5, 30, 120, 600, 1800, 3600, 7200], times: 25 },
  timeoutMs: 60_000,
  concurrency: 4,
})

/** Notification types that can be sent by e-mail. */
export const MailedType = z.enum(mailedNotificationTypes)
export type MailedType = z.infer<typeof MailedType>

export const MailChoice = z.object({
  types: z.array(MailedType),
  /**
   * True: e-mails are sent even if the recipient gets the notification by push or on an open stream. False: such a
   * recipient gets no e-mail.
   */
  always: z.boolean(),
  /** True: one e-mail is sent per day. False: an e-mail is sent at the earliest two minutes after a notification. */
  daily: z.boolean(),
})
export type MailChoice = z.infer<typeof MailChoice>

export const showMailChoice = operation('notifications.mail-choice.show', {
  viewer: internal(),
  input: z.object({ account: z.string() }),
  output: MailChoice,
  about: 'E-mail preferences of a user.',
})

export const changeMailChoice = operation('notifications.mail-choice.change', {
  viewer: internal(),
  class: 'write',
  input: MailChoice.extend({ account: z.string() }),
  output: MailChoice,
  about: 'Changes the e-mail preferences of a user.',
})

export const unsubscribeFromMail = operation('notifications.mail-choice.unsubscribe', {
  viewer: internal(),
  class: 'write',
  input: z.object({ /** Token of the link in an e-mail. */ token: z.string().max(512) }),
  output: z.object({ /** False if nothing changed, because the link is invalid or expired. */ done: z.boolean() }),
  about: 'Turns off e-mails about notifications. E-mails about the login are still sent.',
})

export const mailTermsJob = job('notifications.tell-terms', {
  data: z.object({
    /** Id of the version of the terms. */
    terms: z.string(),
    /** Effective date of the terms, such as `2026-01-31`. */
    day: z.string(),
    /** Cursor that the previous page returned; absent for the first page. */
    after: z.string().optional(),
  }),
  about: 'Sends e-mails about new terms of service to one page of users.',
})
