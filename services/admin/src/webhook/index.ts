/** Exports of the webhook module for the context. */
export { openWebhooks, type Webhooks } from './client.js'
export { hiddenOf, loggedOf, maySee } from './rules.js'
export { webhookSecrets } from './secret.store.js'
export { lockWebhook, removeWebhookRow, restoreWebhook, updateWebhook, type WebhookRow } from './store.js'
