"""The objects of the image: values, classes, traits, methods and contexts, and changing them."""
