/** The HTML of terms of service before they are published. */
import { termsOfServicePreview } from '@murmuration/contracts/admin'
import { handle } from '../../doors.js'
import { contentOf } from '../../views/terms-of-service.js'

export const preview = handle(termsOfServicePreview, async (ctx, _viewer, { text }) => ({
  content: contentOf(ctx, text),
}))
