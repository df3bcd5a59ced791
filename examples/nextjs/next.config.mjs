/** @type {import('next').NextConfig} */
export default {
  // The folders above have lock files of their own.
  turbopack: { root: import.meta.dirname },
  // Addresses of the site end in `/` where those of the content server do.
  skipTrailingSlashRedirect: true,
};
