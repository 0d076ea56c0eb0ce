/** Metrics of open reports. */
import { metric, registry } from '@murmuration/kernel'

export const openReports = new metric.Gauge({
  name: 'murmuration_reports_open',
  help: 'Open reports, counted up to 10,001',
  registers: [registry],
})

export const oldestReport = new metric.Gauge({
  name: 'murmuration_reports_oldest_open_seconds',
  help: 'Age of the oldest open report; 0 without one',
  registers: [registry],
})
