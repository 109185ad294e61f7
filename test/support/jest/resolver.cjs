/** Sources import each other as `./name.js`, the names after the build. moduleNameMapper could map them, without a cache. */
module.exports = (path, options) =>
  options.defaultResolver(path, { ...options, extensionAlias: { '.js': ['.js', '.ts'] } });
