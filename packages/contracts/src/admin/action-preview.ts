/** Operations that preview the consequences of an action by staff. */
import { z } from 'zod'
import { WarningAction } from '../entities/index.js'
import { get, id, ids, operation, text, textOrNone } from '../kit/index.js'
import { MailPreview } from '../notifications/mail-preview.js'
import { STAFF_PREFIX, staffReads } from './staff.js'

export const ActionPreview = z.object({
  type: WarningAction,
  /** Text of the strike that the account holder reads: the preset followed by the custom text. */
  text: z.string(),
  /**
   * Number of followers that the account would lose, counted up to 10,000. For a remote account, only follows between
   * it and local accounts count.
   */
  followers_lost: z.int(),
  follows_lost: z.int(),
  posts_hidden: z.int(),
  /** For actions on reported statuses: ids of the statuses that would change. */
  status_ids: z.array(z.string()),
  /** Number of open reports that the action resolves, up to 1,000. */
  reports_resolved: z.int(),
  /** Number of previous strikes of the account, up to 1,000. */
  strikes: z.int(),
  /** Days until the data of the account are deleted; null if the data are kept. */
  deleted_after_days: z.int().nullable(),
  /** True if the action can be undone from the audit log. */
  reversible: z.boolean(),
  /** Preview of the e-mail to the account holder; null for remote accounts. */
  email: MailPreview.nullable(),
})
export type ActionPreview = z.infer<typeof ActionPreview>

const wanted = {
  id: id(),
  type: textOrNone(50).optional(),
  text: z.union([z.null(), text()]).optional(),
  warning_preset_id: textOrNone(50).optional(),
}

export const previewAccountAction = operation('admin.action-preview.show-account', {
  http: get(`${STAFF_PREFIX}/accounts/:id/action_preview`),
  viewer: staffReads(['manage_users', 'manage_reports'], 'accounts'),
  class: 'admin',
  input: z.object({ ...wanted, report_id: textOrNone(50).optional() }),
  output: ActionPreview,
  errors: ['not_found', 'forbidden', 'unprocessable'],
  large: true,
  about: 'The consequence of an action on an account, with the e-mail that its holder would receive. Changes nothing.',
})

export const previewStatusAction = operation('admin.action-preview.show-statuses', {
  http: get(`${STAFF_PREFIX}/reports/:id/action_preview`),
  viewer: staffReads('manage_reports', 'reports'),
  class: 'admin',
  input: z.object({ ...wanted, status_ids: ids(200).optional() }),
  output: ActionPreview,
  errors: ['not_found', 'forbidden', 'unprocessable'],
  large: true,
  about:
    'The consequence of an action on reported posts, with the e-mail that their author would receive. Changes nothing.',
})
