/** Exports of the webhook module for the context. */
export { openWebhooks, type Webhooks } from './client.js'
