/** Schemas of policies for quoting a status or featuring an account, and of their result for the viewer. */
import { z } from 'zod'

export const ApprovalGroup = z.enum(['public', 'followers', 'following', 'unsupported_policy'])
export type ApprovalGroup = z.infer<typeof ApprovalGroup>

/** Policy of an account: which accounts may feature it in collections. */
export const FeatureApproval = z
  .strictObject({
    automatic: z.array(ApprovalGroup),
    manual: z.array(ApprovalGroup),
    current_user: z.enum(['automatic', 'manual', 'missing', 'unknown', 'denied']),
  })
  .meta({ id: 'FeatureApproval', description: 'Who may feature this account, and whether the viewer may.' })
export type FeatureApproval = z.infer<typeof FeatureApproval>

/** Quote policy of a status. */
export const QuoteApproval = z
  .strictObject({
    automatic: z.array(ApprovalGroup),
    manual: z.array(ApprovalGroup),
    current_user: z.enum(['automatic', 'manual', 'unknown', 'denied']),
  })
  .meta({ id: 'QuoteApproval', description: 'Who may quote this status, and whether the viewer may.' })
export type QuoteApproval = z.infer<typeof QuoteApproval>

/** Quote policies that an author can choose. */
export const QuotePolicy = z
  .enum(['public', 'followers', 'nobody'])
  .meta({ id: 'QuotePolicy', description: 'Quote policy of a status.' })
export type QuotePolicy = z.infer<typeof QuotePolicy>
