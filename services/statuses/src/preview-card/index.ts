/** The exports of this module for other modules. */
export { readEmbed } from './page.client.js'
export { previewDueAt, queuePreview } from './preview.js'
export { linkKey } from './rules.js'
export { linkTimelineIds, trendingPreview } from './store.js'
