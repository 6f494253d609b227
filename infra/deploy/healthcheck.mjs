import { get } from 'node:http';

// Answers Docker's HEALTHCHECK: is the service of this container ready?
const request = get(
  `http://127.0.0.1:${process.env.HEALTH_PORT}/health/ready`,
  { timeout: 2500 },
  (response) => process.exit(response.statusCode === 200 ? 0 : 1),
);
request.on('timeout', () => process.exit(1));
request.on('error', () => process.exit(1));
