/** Publishes the policy again when the bucket was lost, or a process ended before it published a change. */
import { tick } from '../handlers.js'

export const publishPolicy = tick('admin.publish-policy', 30_000, (ctx) => ctx.publication.publish())
