/** A plugin module: gives resources their product, and products their pictures. Needs the definitions in ../objects. */
export function register(api) {
  api.registerRelation('resources', {
    name: 'product',
    target: 'products',
    type: 'to_one',
    foreignKey: 'id',
    fields: ['id', 'article', 'price', 'image', 'is_new'],
  });
  api.registerRelation('products', {
    name: 'files',
    target: 'product_files',
    type: 'to_many',
    foreignKey: 'product',
    fields: ['id', 'name', 'file', 'position'],
  });
}
