/** Arguments that the commands for deliveries share. */
import { integerValue } from '../../src/config/value-type.js';
import { required } from '../parameters.js';

export const deliveryParameter = required(integerValue({ min: 1, max: 2 ** 32 - 1 }), {
  placeholder: 'ID',
  description: 'Id of the delivery (see hcd delivery list)',
});
