/** Publishes the policy anew when the bucket was lost or somebody died before publishing. */
import { tick } from '../handlers.js'

export const publishPolicy = tick('admin.publish-policy', 30_000, (ctx) => ctx.publication.publish())
