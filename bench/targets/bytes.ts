/** Yardstick (a): a bare node:http server that sends the very bytes that the program answered, from memory. */
import { readTargetFile, serve, writeJson } from './answers.js';

const { answers } = readTargetFile(process.argv[2]);
serve(new Map(answers.map(({ path, body }) => [path, Buffer.from(body, 'base64')])), writeJson);
