import { startS3TestServer } from './s3Server.ts';

// `node serveBucket.ts FOLDER PORT`: prints {"port":N}, and ends with its parent.
const [folder = '', port = '0'] = process.argv.slice(2);
const { url } = await startS3TestServer({ folder, port: Number(port) });
process.stdout.write(`{"port":${new URL(url).port}}\n`);
process.once('disconnect', () => process.exit());
